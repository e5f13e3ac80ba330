const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]']

/** Adds each loopback URI under every loopback name. */
export function withLoopbackNames(uris: string[]): string[] {
  const variants = uris.flatMap((uri) => {
    const { protocol, hostname, port } = new URL(uri)
    if (!LOOPBACK_NAMES.includes(hostname)) return [uri]
    const [authority] = uri.slice(`${protocol}//`.length).split(/[/?#]/)
    const rest = uri.slice(`${protocol}//${authority}`.length)
    const names = LOOPBACK_NAMES.map((name) => `${protocol}//${name}${port && `:${port}`}${rest}`)
    return [uri, ...names]
  })
  return [...new Set(variants)]
}

/** The roots of the sites that sign users in. */
export function postLogoutUris(redirectUris: string[]): string[] {
  const origins = new Set(redirectUris.map((uri) => new URL(uri).origin))
  return [...origins].flatMap((origin) => [origin, `${origin}/`])
}
