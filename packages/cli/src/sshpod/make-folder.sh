## Makes the folder for the bundle; fails with a sentence when /tmp does not allow it. Argument after the place's: hash.
. ./prologue.sh
. ./find-place.sh
umask 022
if ! find_base make; then
  # A read-only folder may look writable to root.
  look "$base"; [ -n "$mode" ] || refuse "$tmp is not writable for uid $uid"
  refuse "$tmp/sshpod-$uid belongs to another user, or another user may write to it"
fi
say base "$base"
new=$base/new-$$
mkdir -p "$new/bin" || refuse "$new cannot be made; is /tmp full?"
