/** What the command was asked for cannot be generated; nothing was written. */
export class Refusal extends Error {}

/** What is asked for could be generated, but something in the project is in the way; nothing was written. */
export class Obstacle extends Error {
  /** @param files Where somebody has to look, relative to the project */
  constructor(
    message: string,
    readonly files: string[] = []
  ) {
    super(message)
  }
}
