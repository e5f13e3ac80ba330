interface Cookie {
  value: string
  path: string
}

/** A browser with cookies, by path, that leaves redirects to the test. */
export class Browser {
  readonly #cookies = new Map<string, Cookie>()

  async get(url: string) {
    return this.#send(url, { method: 'GET' })
  }

  /** Any request, with the cookies. */
  async fetch(url: string, init: RequestInit) {
    return this.#send(url, init)
  }

  names(): string[] {
    return [...this.#cookies.keys()]
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(name)?.value
  }

  setCookie(name: string, value: string, path = '/') {
    this.#cookies.set(name, { value, path })
  }

  async submit(url: string, fields: Record<string, string>) {
    return this.#send(url, { method: 'POST', body: new URLSearchParams(fields) })
  }

  /** Follows redirects for as long as they stay on the site. Returns the last response. */
  async follow(response: Response): Promise<Response> {
    const location = response.headers.get('location')
    if (!location) return response
    const target = new URL(location, response.url)
    if (target.origin !== new URL(response.url).origin) return response
    return this.follow(await this.get(target.href))
  }

  async #send(url: string, init: RequestInit) {
    const headers = new Headers(init.headers)
    headers.set('cookie', this.#cookieHeader(new URL(url).pathname))
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) this.#remember(line)
    return response
  }

  #cookieHeader(pathname: string) {
    return [...this.#cookies]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
  }

  #remember(line: string) {
    const [pair, ...attributes] = line.split(';').map((part) => part.trim())
    const [name, value] = splitOnce(pair)
    const settings = Object.fromEntries(
      attributes.map((one) => splitOnce(one.replace(/^[^=]+/, (key) => key.toLowerCase())))
    )
    const isOver =
      settings['max-age'] === '0' ||
      (settings.expires !== undefined && Date.parse(settings.expires) <= Date.now())
    if (isOver) this.#cookies.delete(name)
    else this.#cookies.set(name, { value, path: settings.path ?? '/' })
  }
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf('=')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
