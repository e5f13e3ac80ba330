import { test } from '@japa/runner'
import { settingErrors } from '#core/process/setting_errors'

const isRefused = (text: string) =>
  settingErrors({ SMTP_SPF: text }).some((error) => error.startsWith('SMTP_SPF must list'))

test.group('SMTP_SPF', () => {
  test('can be {$self}')
    .with([
      '',
      'include:_spf.mailservice.example',
      'ip4:192.0.2.0/24 ip6:2001:db8::/32',
      'a:smtp.acme.example  mx:acme.example',
    ])
    .run(({ assert }, text) => assert.isFalse(isRefused(text)))

  test('cannot be {$self}')
    .with([
      'v=spf1 include:a.example',
      'include:a.example ~all',
      '+all',
      'spf.mailservice.example',
      'include:a.example,include:b.example',
      'include:a.example\nall',
    ])
    .run(({ assert }, text) => assert.isTrue(isRefused(text)))
})
