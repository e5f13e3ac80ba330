/** An `HttpContext` is one. */
export interface NamedCaller {
  caller?: { email: string }
  keyName?: string
  /** The owner of the key, because one owner can have several. */
  keyOwner?: string
}

/** The caller in logs: an e-mail address or the name of a key. */
export function callerName({ caller, keyName }: NamedCaller): string | undefined {
  return caller?.email ?? keyName
}

/** The caller in limits. All keys of one application count as one caller. */
export function callerKey({ caller, keyName, keyOwner }: NamedCaller): string {
  return caller ? `user:${caller.email}` : `key:${keyOwner ?? keyName}`
}

/** Who changes what, in limits. */
export interface Changer {
  /** See `callerKey`. */
  caller: string
  /** The code of the application in the path; null if there is none. */
  application: string | null
}

export function changerOf(ctx: NamedCaller & { params: Record<string, unknown> }): Changer {
  const { appCode } = ctx.params
  return { caller: callerKey(ctx), application: typeof appCode === 'string' ? appCode : null }
}
