import type { NotificationRequest } from '#app/delivery/values/notification_request'

/** The message: an order confirmation with five variables, to the same thousand people. */

export const BULK = 100
export const APPLICATION = 'shop'
export const TYPE = 'order-shipped'
export const LOCALES = ['de', 'cs'] as const
export const VARIABLES = ['customer', 'order', 'carrier', 'arrival', 'link']
const RECIPIENTS = 1_000

const row = (label: string, name: string) =>
  `<tr><td class="label">${label}</td><td>{{${name}}}</td></tr>`

export const TEXTS = {
  de: {
    subjectTemplate: 'Ihre Bestellung {{order}} ist unterwegs',
    bodyTemplate: `<style>.label { color: #6b7280; padding-right: 16px }</style>
<p>Guten Tag {{customer}},</p>
<p>Ihre Bestellung <b>{{order}}</b> hat unser Haus verlassen. Übergeben haben wir sie an {{carrier}}.</p>
<table>${row('Bestellung', 'order')}${row('Zusteller', 'carrier')}${row('Ankunft', 'arrival')}</table>
<p><a href="{{link}}">Sendung verfolgen</a></p>
<p>Falls Sie Fragen haben, antworten Sie einfach auf diese Nachricht.</p>`,
  },
  cs: {
    subjectTemplate: 'Vaše objednávka {{order}} je na cestě',
    bodyTemplate: `<style>.label { color: #6b7280; padding-right: 16px }</style>
<p>Dobrý den {{customer}},</p>
<p>vaše objednávka <b>{{order}}</b> opustila náš sklad. Předali jsme ji dopravci {{carrier}}.</p>
<table>${row('Objednávka', 'order')}${row('Dopravce', 'carrier')}${row('Doručení', 'arrival')}</table>
<p><a href="{{link}}">Sledovat zásilku</a></p>
<p>Máte-li otázky, stačí odpovědět na tuto zprávu.</p>`,
  },
}

/** The requests from this number on, each with data of its own. */
export function requestsFrom(first: number, count: number): NotificationRequest[] {
  return Array.from({ length: count }, (_, offset) => requestOf(first + offset))
}

function requestOf(number: number): NotificationRequest {
  const recipient = number % RECIPIENTS
  return {
    recipientEmail: `person-${recipient}@acme.example`,
    appCode: APPLICATION,
    type: TYPE,
    locale: LOCALES[number % LOCALES.length],
    data: {
      customer: `Jiří Müller-Nováček ${recipient}`,
      order: `A-${1_000_000 + number}`,
      carrier: 'Pošta & Söhne',
      arrival: '24. 12. 2026',
      link: `https://shop.acme.example/orders/${number}?from=mail`,
    },
  }
}
