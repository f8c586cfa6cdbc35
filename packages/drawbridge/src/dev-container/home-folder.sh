## Decides where in its claim the home is, and writes it down as a link: `home`, a folder that the user owns, in a claim that
## was empty; `.`, the whole claim, where it holds a home already, of an earlier version or of another program. Nothing that
## exists is changed, unless the file @MOVE@ in such a home asks for the move into the folder.
##
## The kubelet follows the link when it mounts the home, and keeps it inside the claim. Where it is missing at a restart of
## the container alone, the kubelet makes a folder of its name: that one is put aside.
set -eu
umask 022
cd @VOLUME@
## A home on a file system of its own has these; they are nobody's files. An image may have no find.
# shellcheck disable=SC2010
entries() { ls -A | grep -vxE 'lost\+found|\.snapshot|@LINK@|@LINK@\.new' || true; }
link() {
  if [ ! -w . ]; then
    # shellcheck disable=SC2012
    echo "the home's claim belongs to others and $(id) may not write to it: $(ls -ld .); name its group in supplementalGroups, or set fsGroup: $GROUP" >&2
    exit 1
  fi
  rm -f @LINK@
  ln -s "$1" @LINK@
}
move() {
  ## To give a folder another parent, one must be able to write to it.
  others=$(find . -mindepth 1 -maxdepth 1 -type d ! -name lost+found | while IFS= read -r entry; do
    [ -w "$entry" ] || printf '%s ' "$entry"
  done)
  if [ -n "$others" ]; then
    echo "the home is not moved, because you may not write to $others" >&2
    return
  fi
  mkdir -p @LINK@.new
  entries | while IFS= read -r entry; do
    [ "$entry" = @MOVE@ ] || mv -- "$entry" @LINK@.new/ || exit 1
  done
  rm @MOVE@
  link home
}
ls -A >/dev/null
if [ -d @LINK@ ] && [ ! -L @LINK@ ]; then
  rmdir @LINK@ 2>/dev/null || mv @LINK@ "found-$(date +%Y%m%dT%H%M%S)"
fi
case $(readlink @LINK@ || true) in
  home) ;;
  .) if [ -e @MOVE@ ]; then move; fi ;;
  *) if [ -z "$(entries)" ]; then link home; else link .; fi ;;
esac
if [ "$(readlink @LINK@)" = home ] && [ ! -d home ]; then
  mkdir -p @LINK@.new
  # The claim's own folder hands its group on; a home does not.
  chmod g-s @LINK@.new
  chown "$OWNER" @LINK@.new
  mv @LINK@.new home
fi
