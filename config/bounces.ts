import { readFileSync } from 'node:fs'
import env from '#start/env'

const port = env.get('BOUNCE_SMTP_PORT')

/** Null without STARTTLS. */
function tls() {
  const [cert, key] = [env.get('BOUNCE_SMTP_CERT_FILE'), env.get('BOUNCE_SMTP_KEY_FILE')]
  if (!cert || !key) return null
  return { cert: readFileSync(cert), key: readFileSync(key) }
}

/** How reports about mails arrive (suppressions.md#limits-of-the-listener). */
export default {
  listener:
    port === undefined ? null : { port, host: env.get('BOUNCE_SMTP_HOST') || env.get('HOST') },
  tls: tls(),
  /** Of a message, in bytes */
  maxSize: 5_242_880,
  /** How much of it is read: a report comes before the mail that it is about. */
  maxRead: 262_144,
  /** Of a message, and of all messages of this process: packets, and lines that begin with a dot */
  maxPieces: 16_384,
  piecesPerMinute: 262_144,
  maxConnections: 20,
  maxConnectionsPerClient: 10,
  maxRecipients: 10,
  /** Of a connection, until its first message and from one to the next */
  maxCommands: 100,
  /** Refused recipients after which a connection ends */
  maxRefusals: 3,
  /** Of this process, and of them about the same notification */
  messagesPerMinute: 600,
  repetitionsPerMinute: 5,
  /** How long a client may send nothing, and how long and how much in all */
  idleMs: 30_000,
  connectionMs: 300_000,
  maxConnectionBytes: 26_214_400,
  /** How long a delivery can take until it is recorded */
  recordedWithinMinutes: 5,
  /** Older notifications are not affected. */
  maxAgeDays: 30,
}
