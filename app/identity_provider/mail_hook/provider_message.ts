import type { Infer } from '@vinejs/vine/types'
import { singleLine } from '#core/values/single_line'
import type { providerMessageValidator } from '#app/identity_provider/validators/provider_message_validator'
import {
  decodeEntities,
  htmlToPlainText,
  parseWebAddress,
} from '#app/identity_provider/mail_hook/provider_text'

const MAX_NAME_LENGTH = 200

type Payload = Infer<typeof providerMessageValidator>

export interface ProviderTexts {
  subject?: string
  title?: string
  preHeader?: string
  greeting?: string
  text?: string
  buttonText?: string
  footerText?: string
}

/** A system mail to deliver. Unset values are absent, never empty. */
export interface ProviderMessage {
  eventType: string
  recipient: string
  name?: string
  organisation?: string
  texts: ProviderTexts
  url?: string
  code?: string
  variables: Record<string, unknown>
  /** Codes and links. */
  secrets: string[]
}

/**
 * Decodes entities once and drops empty values (zitadel.md#message-members).
 * @param rawArgs all `args` as received, because templates may use any of them
 */
export function parseProviderMessage(
  { contextInfo, templateData, args }: Payload,
  rawArgs: object
): ProviderMessage {
  const address = parseWebAddress(templateData?.url)
  const texts = textsFrom(templateData)
  const url = address && templateData!.url!.trim()
  const codes = [args?.code, args?.oTP, args?.otp].map(decodeEntities)
  const linkCode = address?.searchParams.get('code') || undefined
  const code = [...codes, linkCode].find((one) => one !== undefined)
  return {
    eventType: contextInfo.eventType,
    recipient: contextInfo.recipientEmailAddress ?? '',
    name: nameFrom(args),
    organisation: organisationFrom(contextInfo, args, address),
    texts,
    url,
    code,
    variables: withoutUndefined({ ...decodedScalars(rawArgs), ...texts, url, code }),
    secrets: [...codes, linkCode, url, address?.href].filter((one) => one !== undefined),
  }
}

function textsFrom(data: Payload['templateData']): ProviderTexts {
  return {
    subject: decodeEntities(data?.subject),
    title: decodeEntities(data?.title),
    preHeader: htmlToPlainText(data?.preHeader),
    greeting: htmlToPlainText(data?.greeting),
    text: htmlToPlainText(data?.text),
    buttonText: decodeEntities(data?.buttonText),
    footerText: data?.includeFooter ? htmlToPlainText(data.footerText) : undefined,
  }
}

function nameFrom(args: Payload['args']) {
  const fullName = [args?.firstName, args?.lastName].filter(Boolean).join(' ')
  const name = singleLine(decodeEntities(args?.displayName || fullName) ?? '')
  return [...name].slice(0, MAX_NAME_LENGTH).join('') || undefined
}

/** See identity-provider.md#organisation-of-a-message. */
function organisationFrom(
  context: Payload['contextInfo'],
  args: Payload['args'],
  address: URL | undefined
) {
  const parameter = (name: string) => address?.searchParams.get(name)
  return (
    decodeEntities(args?.orgID || args?.orgId) ||
    context.orgID ||
    context.orgId ||
    context.organizationId ||
    parameter('orgID') ||
    parameter('organization') ||
    undefined
  )
}

function decodedScalars(args: object) {
  const entries = Object.entries(args as Record<string, unknown>)
  return Object.fromEntries(
    entries
      .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
      .map(([name, value]) => [name, typeof value === 'string' ? decodeEntities(value) : value])
  )
}

function withoutUndefined(values: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
