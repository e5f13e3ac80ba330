import { DEVELOPMENT_PASSWORD } from '#development/identity_provider/main'
import { Browser } from '#tests/helpers/browser'

/** The page that asks for a device's code, and the secret of its form. */
export async function openDevicePage(browser: Browser, uri: string) {
  const response = await browser.follow(await browser.get(uri))
  const body = await response.text()
  const [, secret = ''] = /name="xsrf" value="([^"]*)"/.exec(body) ?? []
  const [, code = ''] = /name="user_code"\s+value="([^"]*)"/.exec(body) ?? []
  return { body, secret, code, policy: response.headers.get('content-security-policy') ?? '' }
}

/** Does what a person does with the address that a device shows. Returns the last page. */
export async function connectDevice(completeUri: string, email: string): Promise<string> {
  const browser = new Browser()
  const { secret, code } = await openDevicePage(browser, completeUri)
  const uri = completeUri.split('?')[0]
  await browser.submit(uri, { xsrf: secret, user_code: code })
  const confirmed = await browser.submit(uri, { xsrf: secret, user_code: code, confirm: 'yes' })
  const login = await browser.follow(confirmed)
  const submitted = await browser.submit(login.url, { email, password: DEVELOPMENT_PASSWORD })
  return (await browser.follow(submitted)).text()
}
