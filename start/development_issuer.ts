/**
 * Where the embedded development identity provider listens: beside the service, on the next port, unless
 * `DEVELOPMENT_IDP_PORT` says otherwise.
 */
export function developmentIssuer(host: string, port: number): string {
  const providerPort = Number(process.env.DEVELOPMENT_IDP_PORT || port + 1)
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name}:${providerPort}`
}
