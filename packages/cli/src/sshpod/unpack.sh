## Unpacks the archive from standard input with the image's own tar and gzip. Says the base.
. ./make-folder.sh
gzip -dc | tar -xf - -C "$new" || refuse "unpacking failed; is /tmp full?"
. ./place-folder.sh
