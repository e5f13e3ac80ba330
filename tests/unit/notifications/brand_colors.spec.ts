import { test } from '@japa/runner'
import { brandColors } from '#app/notifications/rendering/brand_colors'
import { applyLayout } from '#app/notifications/rendering/layout'
import Brand from '#app/platform/models/brand'

function brandOn(backgroundColor: string | null) {
  return new Brand().merge({
    name: 'Acme',
    appearance: { primaryColor: null, backgroundColor, fontColor: null } as Brand['appearance'],
  })
}

/** See https://www.w3.org/TR/WCAG22/#dfn-relative-luminance. */
function luminance(color: string): number {
  const parts = color.match(/[\da-f]{2}/gi)!.map((part) => Number.parseInt(part, 16) / 255)
  const [red, green, blue] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const footerColor = (html: string) =>
  /color:(#[\da-f]{6});font-size:13px[^>]*>Acme</.exec(html)?.[1]

test.group('Colours of the built-in layout', () => {
  test('give the brand name at the end a contrast of 4.5 on any background', ({ assert }) => {
    const levels = ['00', '33', '66', '77', '80', '99', 'cc', 'ff']
    const all = levels.flatMap((red) =>
      levels.flatMap((green) => levels.map((blue) => `#${red}${green}${blue}`))
    )
    for (const background of [null, ...all]) {
      const brand = brandOn(background)
      const html = applyLayout({ brand, locale: 'en', subject: 'Hello', body: '' })
      const actual = contrast(footerColor(html)!, brandColors(brand).background)
      assert.isAtLeast(actual, 4.5, background ?? 'default')
    }
  })

  test('understand short and transparent backgrounds', ({ assert }) => {
    const muted = (background: string) => brandColors(brandOn(background)).muted
    assert.equal(muted('#fff'), muted('#ffffff'))
    assert.equal(muted('#000'), muted('#000000'))
    assert.notEqual(muted('#000'), muted('#fff'))
    // On the white of the mail program.
    assert.equal(muted('#0000'), muted('#ffffff'))
    assert.equal(muted('#00000000'), muted('#ffffff'))
    assert.equal(muted('#000000ff'), muted('#000000'))
  })
})
