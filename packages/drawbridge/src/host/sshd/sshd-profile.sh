## A login shell's /etc/profile resets PATH; the container's own comes back here.
if [ -n "${DRAWBRIDGE_PATH:-}" ]; then
  PATH=$DRAWBRIDGE_PATH
  unset DRAWBRIDGE_PATH
fi
