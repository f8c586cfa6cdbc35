## Copies each path from the image to the volume at the first start. What is on the volume wins from then on: a newer
## image's content is not merged in. A file `.drawbridge-reseed` in a path asks for the image's content at the next start;
## the old content is kept once, in `previous/`. tar, because cp either loses the times of files, by which Python knows its
## caches, or complains of every owner.
set -u
for path in "$@"; do
  data=@VOLUME@/data$path record=@VOLUME@/seeded$path previous=@VOLUME@/previous$path
  if [ -e "$data/.drawbridge-reseed" ]; then
    rm -rf "$previous"
    mkdir -p "${previous%/*}" && rm -f "$data/.drawbridge-reseed" "$record" && mv "$data" "$previous"
  fi
  if [ -e "$record" ]; then
    was=$(cat "$record")
    [ "$was" = "$IMAGE" ] || echo "$path was seeded from $was and is kept; the image is $IMAGE now"
    continue
  fi
  # Without a record the last copy was cut off.
  rm -rf "$data"
  mkdir -p "$data" "${record%/*}" && chmod g-s "$data" || exit 1
  if [ -d "$path" ]; then
    { tar -C "$path" -cf - . || echo "$path: not everything could be copied; see the lines above" >&2; } |
      tar -C "$data" @EXTRACT@ - || exit 1
  else # @OWNERS?@
    chown "$OWNER" "$data" || exit 1 # @OWNERS?@
  fi
  echo "$IMAGE" >"$record" || exit 1
  echo "$path: seeded from $IMAGE"
done
