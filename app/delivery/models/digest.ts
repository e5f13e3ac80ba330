import { DigestSchema } from '#database/schema'

/** Mails of one type to one user that wait to be sent as one (digests.md#waiting-digests). */
export default class Digest extends DigestSchema {}
