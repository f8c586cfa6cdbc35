/* The first process of every pod: it holds the pod's namespaces and reaps orphans until it is told to stop. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void stop(int signal) {
  (void)signal;
  _exit(0);
}

static void reap(int signal) {
  (void)signal;
  while (waitpid(-1, NULL, WNOHANG) > 0) {
  }
}

int main(void) {
  const struct sigaction stop_action = {.sa_handler = stop};
  const struct sigaction reap_action = {.sa_handler = reap, .sa_flags = SA_NOCLDSTOP};
  if (sigaction(SIGINT, &stop_action, NULL) || sigaction(SIGTERM, &stop_action, NULL) ||
      sigaction(SIGCHLD, &reap_action, NULL))
    return 1;
  for (;;) pause();
}
