## Looks at the account that people log in to: sshd lets nobody in whose account is missing, is locked or has no shell, and
## clients would blame the key.
# shellcheck disable=SC2154
account() {
  cat /etc/passwd @BUNDLE@/etc/passwd 2>/dev/null | awk -F: '$1 == "@NAME@" { print $2 ":" $3 ":" $7; exit }'
}
has_shell() {
  shell=$(account)
  shell=${shell##*:}
  [ -x "${shell:=/bin/sh}" ]
}
mend_root() { # @ROOT?@
  # Locked means that root has no password; here nobody has one. What is written ends with the container. # @ROOT?@
  for file in /etc/passwd /etc/shadow; do # @ROOT?@
    if grep -qs '^root:!' "$file"; then sed -i 's/^root:![^:]*:/root:*:/' "$file"; fi # @ROOT?@
  done # @ROOT?@
  has_shell && return # @ROOT?@
  for shell in /bin/bash /usr/bin/bash /bin/sh @BUNDLE@/bin/sh; do [ ! -x "$shell" ] || break; done # @ROOT?@
  sed -i "s|^\(root:.*:\)[^:]*\$|\1$shell|" /etc/passwd # @ROOT?@
} # @ROOT?@
mend_root || true # @ROOT?@
why='' shell=''
case $(account) in
  '') why="/etc/passwd does not name it" ;;
  !*) why="it is locked in /etc/passwd" ;;
  *:@UID@:*) has_shell || why="the image has no $shell, its shell" ;;
  *) why="its uid is not @UID@" ;;
esac
case $shell in */nologin | */false) why="its shell is $shell" ;; esac
[ -z "$why" ] || echo "drawbridge-sshd: nobody can log in as @NAME@: $why" >&2
