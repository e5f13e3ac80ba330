import { reachableHost } from '#core/network/loopback'

/**
 * The development world listens on the ports after the service's, unless settings say otherwise.
 */

export function developmentIssuer(host: string, port: number): string {
  return `http://${reachableHost(host)}:${Number(process.env.DEVELOPMENT_IDP_PORT || port + 1)}`
}

export function developmentInboxPort(port: number): number {
  return Number(process.env.DEVELOPMENT_INBOX_PORT || port + 4)
}

export function developmentMailbox(host: string, port: number) {
  return {
    host: reachableHost(host),
    smtpPort: Number(process.env.DEVELOPMENT_SMTP_PORT || port + 2),
    pagePort: Number(process.env.DEVELOPMENT_MAILBOX_PORT || port + 3),
  }
}
