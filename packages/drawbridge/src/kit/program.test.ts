import { describe, expect, it } from "vitest";
import { filled, type Program } from "./program.ts";

const program = `state=@STATE@
echo "$@" "@STATE@ of @USER@"
if [ "$1" = @PORT@ ]; then # kept
  chown "@USER@" . # @ROOT?@
fi
` as Program<"STATE" | "USER" | "PORT", "ROOT">;

describe("filled", () => {
  it("puts each value where its placeholder stands, as it is, and keeps a line or leaves it out", () => {
    const values = { STATE: "/run/$&", USER: "@STATE@", PORT: 22 };
    expect(filled(program, { ...values, ROOT: true })).toBe(`state=/run/$&
echo "$@" "/run/$& of @STATE@"
if [ "$1" = 22 ]; then # kept
  chown "@STATE@" .
fi
`);
    expect(filled(program, { ...values, ROOT: false })).toBe(`state=/run/$&
echo "$@" "/run/$& of @STATE@"
if [ "$1" = 22 ]; then # kept
fi
`);
  });

  it("refuses a value that is missing, one of the wrong kind and one that nothing asks for, all at once", () => {
    const values = { STATE: true, PORT: 22, ROOT: "yes", HOME: "/root" };
    expect(() => filled(program, values as never)).toThrow(
      /^a program cannot be filled in: @STATE@ has no value; @USER@ has no value; @ROOT@ has no value; there is no @HOME@ for its value$/,
    );
    const within = "true @ROOT?@ || false\n" as Program<never, "ROOT">;
    expect(() => filled(within, { ROOT: true })).toThrow(/: @ROOT\?@ does not end its line$/);
    // @ts-expect-error no USER
    expect(() => filled(program, { STATE: "", PORT: 1, ROOT: true })).toThrow("@USER@ has no value");
    // @ts-expect-error HOME is not in it
    expect(() => filled(within, { ROOT: true, HOME: "" })).toThrow("there is no @HOME@");
  });
});
