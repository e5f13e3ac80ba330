import { createPrivateKey } from 'node:crypto'
import nodemailer from 'nodemailer'
import { ready } from '../../world/servers/ready.ts'
import type { PlainMail } from '../rendering.ts'

/**
 * The limit: pooled nodemailer that only signs and sends finished mails. Its key is parsed once,
 * which is less work than nodemailer does with the PEM text that its manual shows.
 */

export type Order = { kind: 'mails'; mails: PlainMail[] } | { kind: 'send'; batches: number }

const transport = nodemailer.createTransport({
  host: '127.0.0.1',
  port: Number(process.env.SMTP_PORT),
  pool: true,
  maxConnections: 5,
  maxMessages: 1_000,
})
const { DKIM_DOMAIN = '', DKIM_SELECTOR = '', DKIM_PRIVATE_KEY = '' } = process.env
const key = createPrivateKey(DKIM_PRIVATE_KEY)

let mails: PlainMail[] = []

process.on('message', async (order: Order) => {
  if (order.kind === 'mails') mails = order.mails
  else {
    for (let batch = 0; batch < order.batches; batch++) await Promise.all(mails.map(send))
    process.send!({ kind: 'sent', mails: mails.length * order.batches })
  }
})

function send(mail: PlainMail) {
  const dkim = {
    domainName: DKIM_DOMAIN,
    keySelector: DKIM_SELECTOR,
    privateKey: key,
    headerFieldNames: SIGNED_HEADERS,
  }
  // Its types know keys as text only.
  const signed: object = { ...mail, dkim }
  return transport.sendMail(signed)
}

/** As this service signs. */
const SIGNED_HEADERS =
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Unsubscribe:List-Unsubscribe-Post'

ready(0)
