## Puts the folder in place at once, so that two laptops never see a half-copied bundle. One that is there already stays if
## it is whole.
"$new/bin/busybox" true 2>/dev/null || refuse "@CANNOT_RUN@"
mkdir -p "$new/etc"
if whole "$base/bundle-$1"; then "$new/bin/busybox" rm -rf "$new"; else
  [ ! -e "$base/bundle-$1" ] || mv "$base/bundle-$1" "$base/spoilt-$$"
  mv "$new" "$base/bundle-$1"
fi
say placed "$1"
