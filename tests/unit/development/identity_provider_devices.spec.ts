import { test } from '@japa/runner'
import { DEVELOPMENT_ACCOUNTS } from '#development/identity_provider/main'
import { Browser } from '#tests/helpers/browser'
import { connectDevice, openDevicePage } from '#tests/unit/development/devices'
import { beginProvider, idp, verify } from '#tests/unit/development/provider_under_test'

const [ada] = DEVELOPMENT_ACCOUNTS
const CLIENT = { client_id: 'concierge-cli' }

interface DeviceCode {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
}

async function post(path: string, fields: Record<string, string>) {
  const body = new URLSearchParams({ ...CLIENT, ...fields })
  return fetch(`${idp.issuer}${path}`, { method: 'POST', body })
}

async function begin() {
  const scope = 'openid profile email offline_access'
  const response = await post('/oauth/v2/device_authorization', { scope })
  return (await response.json()) as DeviceCode
}

const redeem = ({ device_code: code }: DeviceCode) =>
  post('/oauth/v2/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: code,
  })

test.group('Development identity provider, device code', (group) => {
  group.setup(beginProvider)

  test('issues tokens to a device after the user confirms the code', async ({ assert }) => {
    const device = await begin()
    const pending = await redeem(device)
    assert.equal(pending.status, 400)
    assert.containSubset(await pending.json(), { error: 'authorization_pending' })

    const page = await connectDevice(device.verification_uri_complete, ada.email)
    assert.include(page, 'Connected')
    const response = await redeem(device)
    const tokens = (await response.json()) as Record<string, string>
    assert.equal(response.status, 200)
    const { payload } = await verify(tokens.access_token)
    assert.containSubset(payload, { email: ada.email, client_id: 'concierge-cli' })

    const renewed = await post('/oauth/v2/token', {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
    })
    assert.equal(renewed.status, 200)
  })

  test('uses pages without scripts and never submits a code by itself', async ({ assert }) => {
    const device = await begin()
    const { body, policy } = await openDevicePage(new Browser(), device.verification_uri_complete)
    assert.include(policy, "default-src 'none'")
    assert.notMatch(body, /<script|https?:\/\//)
    assert.include(body, `value="${device.user_code}"`)
    const { body: hostile } = await openDevicePage(
      new Browser(),
      `${device.verification_uri}?user_code=${encodeURIComponent('"><b>x</b>')}`
    )
    assert.notInclude(hostile, '<b>x')
  })

  test('explains what is wrong with a code', async ({ assert }) => {
    const { verification_uri: uri } = await begin()
    const browser = new Browser()
    const { secret } = await openDevicePage(browser, uri)
    const response = await browser.submit(uri, { xsrf: secret, user_code: 'WRONG' })
    assert.include(await response.text(), 'This code does not exist')
  })

  test('does not sign in a user who declines', async ({ assert }) => {
    const device = await begin()
    const browser = new Browser()
    const { secret } = await openDevicePage(browser, device.verification_uri)
    const fields = { xsrf: secret, user_code: device.user_code, abort: 'yes' }
    const response = await browser.submit(device.verification_uri, fields)
    assert.include(await response.text(), 'Declined')
    assert.containSubset(await (await redeem(device)).json(), { error: 'access_denied' })
  })
})
