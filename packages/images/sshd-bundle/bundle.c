/*
 * Linked into each program of the bundle, so that it runs in an image about which nothing is known.
 *
 * 1. A user whom the image's /etc/passwd does not name (an image without that file, a random uid) is looked
 *    up in <bundle>/etc/passwd; otherwise sshd would answer "Invalid user" to everybody.
 * 2. Name services are what glibc has built in. A static program must never load the image's own libnss_*.so,
 *    which belongs to another C library.
 * 3. The image's openssl.cnf is not read: it may name providers that a static libcrypto cannot load.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <nss.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern struct passwd *__real_getpwnam(const char *name);
extern struct passwd *__real_getpwuid(uid_t uid);

__attribute__((constructor)) static void use_nothing_of_the_image(void) {
  __nss_configure_lookup("passwd", "files");
  __nss_configure_lookup("group", "files");
  __nss_configure_lookup("shadow", "files");
  __nss_configure_lookup("hosts", "files dns");
  setenv("OPENSSL_CONF", "/dev/null", 1);
}

/* Opens <bundle>/etc/passwd, where the running program is <bundle>/bin/<program>. */
static FILE *open_bundle_passwd(void) {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
  if (length < 0) return NULL;
  path[length] = '\0';
  for (int parents = 0; parents < 2; parents++) {
    char *slash = strrchr(path, '/');
    if (slash == NULL) return NULL;
    *slash = '\0';
  }
  if (strlen(path) + sizeof("/etc/passwd") > sizeof(path)) return NULL;
  return fopen(strcat(path, "/etc/passwd"), "re");
}

/* The entry with this name, or with this uid if name is NULL; valid until the next call, as with getpwnam. */
static struct passwd *find_in_bundle(const char *name, uid_t uid) {
  FILE *file = open_bundle_passwd();
  struct passwd *entry = NULL;
  if (file == NULL) return NULL;
  while ((entry = fgetpwent(file)) != NULL) {
    if (name != NULL ? strcmp(entry->pw_name, name) == 0 : entry->pw_uid == uid) break;
  }
  fclose(file);
  return entry;
}

struct passwd *__wrap_getpwnam(const char *name) {
  struct passwd *entry = __real_getpwnam(name);
  return entry != NULL ? entry : find_in_bundle(name, 0);
}

struct passwd *__wrap_getpwuid(uid_t uid) {
  struct passwd *entry = __real_getpwuid(uid);
  return entry != NULL ? entry : find_in_bundle(NULL, uid);
}
