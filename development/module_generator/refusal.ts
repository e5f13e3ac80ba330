/** The request is invalid; nothing was written. */
export class Refusal extends Error {}

/** Something in the project is in the way; nothing was written. */
export class Obstacle extends Error {
  constructor(
    message: string,
    readonly files: string[] = []
  ) {
    super(message)
  }
}
