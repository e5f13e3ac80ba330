/** A brand or the platform cannot send mails with its settings. */
export class UnusableSender extends Error {
  override name = 'UnusableSender'
}
