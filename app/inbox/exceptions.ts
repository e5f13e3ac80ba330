import { InvalidToken } from '#app/auth/exceptions'

/** This service did not issue it. */
export class InvalidTicket extends InvalidToken {
  /** Any web page can make browsers send one, and nobody can guess a signature. */
  override readonly isGuess = false

  constructor() {
    super('The ticket is invalid')
  }
}

/** It was used, or is older than 30 seconds. A browser that reconnects sends it again. */
export class UsedTicket extends InvalidToken {
  override readonly isGuess = false

  constructor() {
    super('The ticket has been used or has expired')
  }
}

/** Other requests accept it for a few seconds more, because clocks differ. */
export class ExpiredToken extends InvalidToken {
  override readonly isGuess = false

  constructor() {
    super('The token has expired')
  }
}
