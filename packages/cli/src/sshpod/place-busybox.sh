## Takes the bundle's busybox from standard input, for an image without tar or gzip. Says the base.
. ./make-folder.sh
# shellcheck disable=SC2015
cat >"$new/bin/busybox" && chmod 755 "$new/bin/busybox" || refuse "copying failed; is /tmp full?"
say folder "${new##*/}"
