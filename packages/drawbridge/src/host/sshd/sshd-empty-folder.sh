## Root's sshd keeps the half of it that nobody has logged in to yet in an empty folder, which a distribution's init makes.
# shellcheck disable=SC2154
[ "$sshd" != /usr/sbin/sshd ] || mkdir -p /run/sshd
