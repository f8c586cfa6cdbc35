## The image's own accounts with the user added, so that `id`, git and ssh know who one is. The login shell is the image's
## best one.
set -eu
for shell in $WANTED_SHELL /bin/bash /usr/bin/bash /bin/sh; do
  [ ! -x "$shell" ] || break
  shell=@BUNDLE@/bin/sh
done
[ "$shell" = "${WANTED_SHELL:-$shell}" ] || echo "the image has no $WANTED_SHELL; the login shell is $shell" >&2
ln -sf busybox @BUNDLE@/bin/sh
mkdir -p @BUNDLE@/etc
{
  cat /etc/passwd 2>/dev/null | awk -F: -v name="$NAME" -v id="$ID" '$1 != name && $3 != id'
  echo "$NAME:x:$ID:$GROUP_ID::$USER_HOME:$shell"
} >@BUNDLE@/etc/passwd
cat /etc/group 2>/dev/null | awk -F: -v name="$NAME" -v id="$GROUP_ID" '
  $3 == id { found = 1 }
  $1 != name || $3 == id
  END { if (!found) print name ":x:" id ":" }' >@BUNDLE@/etc/group
## Root is in the image's own accounts, which stay as they are: programs that make users could not replace a file that is
## mounted. The bundle's are for an image without accounts, and name the user of sshd's unprivileged half.
echo "sshd:x:65534:65534::/nonexistent:/bin/false" >>@BUNDLE@/etc/passwd # @ROOT?@
