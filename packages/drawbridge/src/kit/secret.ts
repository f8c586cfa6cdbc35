/** What is said in the place of a secret. */
export const secretWord = "(secret)";

/** A secret among arguments that are checked: a value of which nothing is said, and which no check looks at. */
export class Secret {
  readonly #value: unknown;
  /** Whether clients alone read it, and no object holds it, so that it may stand where others may not. */
  readonly isForClients: boolean;

  /** @param value undefined where it is not known */
  constructor(value?: unknown, isForClients = false) {
    this.#value = value;
    this.isForClients = isForClients;
  }

  /** For those who put it where it may stand, or check it without a word of it. */
  reveal(): unknown {
    return this.#value;
  }

  /** What would be made of it is secret too. Nothing is made: an error on the way could hold it. */
  apply(): Secret {
    return new Secret();
  }

  toString(): string {
    return secretWord;
  }

  toJSON(): string {
    return secretWord;
  }
}
