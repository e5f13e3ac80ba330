import { createServer } from 'node:http'
import { close, listen } from '#development/listen'
import { MailStore } from './mail_store.ts'
import { requestListener } from './routes.ts'
import { smtpServer } from './smtp.ts'

export interface MailboxOptions {
  host: string
  /** 0 picks a free port, here and below. */
  smtpPort: number
  pagePort: number
}

export interface RunningMailbox {
  smtpPort: number
  url: string
  close(): Promise<void>
}

/**
 * Starts an SMTP server and a page that shows the mails it received.
 * @throws Error that names the port if one is in use
 */
export async function startMailbox(options: MailboxOptions): Promise<RunningMailbox> {
  const { host } = options
  const store = new MailStore()
  const smtp = smtpServer(store)
  const pages = createServer(requestListener(store))
  const closeAll = () => Promise.all([closeSmtp(), close(pages)]).then(() => {})
  const closeSmtp = () => new Promise<void>((resolve) => smtp.close(() => resolve()))
  const smtpPort = await listen(smtp.server, { host, port: options.smtpPort }, 'mailbox')
  try {
    const pagePort = await listen(pages, { host, port: options.pagePort }, 'mailbox page')
    return { smtpPort, url: `http://${host}:${pagePort}`, close: closeAll }
  } catch (error) {
    await closeSmtp()
    throw error
  }
}
