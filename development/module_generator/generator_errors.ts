/** The request is invalid; nothing was written. */
export class InvalidModuleRequest extends Error {}

/** Something in the project is in the way; nothing was written. */
export class ProjectConflict extends Error {
  constructor(
    message: string,
    readonly files: string[] = []
  ) {
    super(message)
  }
}
