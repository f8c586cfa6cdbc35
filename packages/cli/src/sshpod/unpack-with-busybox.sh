## Unpacks the archive from standard input with the busybox placed before. Arguments: hash, base, folder.
. ./prologue.sh
base=$2
new=$base/$3
# shellcheck disable=SC2015
ours "$base" && ours "$new/bin" || refuse "$new is gone; try again"
b=$new/bin/busybox
"$b" true 2>/dev/null || refuse "@CANNOT_RUN@"
"$b" gzip -dc | "$b" tar -xf - -C "$new" || refuse "unpacking failed; is /tmp full?"
. ./place-folder.sh
