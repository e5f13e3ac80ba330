import { DigestItemSchema } from '#database/schema'

/** A message whose mail waits for a digest. */
export default class DigestItem extends DigestItemSchema {}
