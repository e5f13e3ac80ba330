import { accessSync, constants } from 'node:fs'
import { MAX_BOUNCE_NAME_LENGTH, parseBounceAddress } from '#core/values/parse_bounce_address'

/** Errors of the settings for reports about mails that come back. */
export function bounceSettingErrors({
  PORT,
  INTERNAL_PORT,
  BOUNCE_ADDRESS,
  BOUNCE_SMTP_PORT,
  BOUNCE_SMTP_CERT_FILE,
  BOUNCE_SMTP_KEY_FILE,
}: Record<string, string | undefined>): string[] {
  const taken = [PORT || '3333', INTERNAL_PORT].map(Number)
  return [
    ...(!BOUNCE_ADDRESS || parseBounceAddress(BOUNCE_ADDRESS)
      ? []
      : [
          `BOUNCE_ADDRESS must be an e-mail address with at most ${MAX_BOUNCE_NAME_LENGTH} characters before the @`,
        ]),
    ...(BOUNCE_SMTP_PORT && !BOUNCE_ADDRESS ? ['BOUNCE_SMTP_PORT needs BOUNCE_ADDRESS'] : []),
    ...(BOUNCE_SMTP_PORT && taken.includes(Number(BOUNCE_SMTP_PORT))
      ? ['BOUNCE_SMTP_PORT must differ from PORT and INTERNAL_PORT']
      : []),
    ...(Boolean(BOUNCE_SMTP_CERT_FILE) === Boolean(BOUNCE_SMTP_KEY_FILE)
      ? []
      : ['BOUNCE_SMTP_CERT_FILE and BOUNCE_SMTP_KEY_FILE must be set together']),
    ...Object.entries({ BOUNCE_SMTP_CERT_FILE, BOUNCE_SMTP_KEY_FILE })
      .filter(([, file]) => file && !isReadable(file))
      .map(([name]) => `${name} must be a file that can be read`),
  ]
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}
