/** HTTP status, gRPC code and text. */
export interface Refusal {
  status: number
  code: number
  message: string
}

export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message)
  }
}

const refused = (status: number, code: number) => (message: string) =>
  new Refused({ status, code, message })

export const invalid = refused(400, 3)
export const notFound = refused(404, 5)
export const exists = refused(409, 6)
export const denied = refused(403, 7)
/** For a change that changes nothing. */
export const unchanged = refused(400, 9)
export const wrongMethod = refused(405, 12)
export const unauthenticated = refused(401, 16)
