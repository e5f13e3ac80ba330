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

/** Who makes a large change. The administrators of an application count as one. */
export function changerKey(ctx: NamedCaller & { params: Record<string, unknown> }): string {
  const { appCode } = ctx.params
  return typeof appCode === 'string' ? `application:${appCode}` : callerKey(ctx)
}
