import { RULES_LIST, configApp } from '@adonisjs/eslint-config'
import vue from 'eslint-plugin-vue'
import typescript from 'typescript-eslint'

/** Sections of `app/`, lowest first. Each may import from those before it only. */
const SECTIONS = [
  'core',
  'platform',
  'applications',
  'profiles',
  'permissions',
  'checks',
  'auth',
  'authzen',
  'notifications',
  'policies',
  'suppressions',
  'delivery',
  'bounces',
  'inbox',
  'broadcasts',
  'audit',
  'change_feed',
  'webhooks',
  'identity_provider',
  'operations',
  'panel',
]

/** Rooms of the admin panel, lowest first, likewise. `ui` and `forms` are one kit. */
const PANEL_ROOMS = [
  ['api'],
  ['session'],
  ['ui', 'forms'],
  ['queries'],
  ['pickers'],
  ['frame'],
  ['pages'],
]

/** What a section keeps to itself. */
const PRIVATE = ['controllers', 'middleware', 'validators', 'queries']

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The import rule of one section. A pattern per reason, so that messages can say what to do. */
function sectionRules(section, index) {
  const above = SECTIONS.slice(index + 1).map(escape)
  const others = SECTIONS.filter((name) => name !== section && name !== 'core').map(escape)
  const patterns = [
    {
      regex: `^#app/(${others.join('|')})/(${PRIVATE.join('|')})/`,
      message: 'Other sections offer models, values, events, actions and transformers only.',
    },
    { regex: '^\\.\\./', message: 'Import across folders by #app, so that the rule sees it.' },
    {
      regex: '^#(tests|development)/',
      message: 'The service knows neither tests nor the development world.',
    },
  ]
  if (above.length > 0) {
    patterns.push({
      regex: `^#app/(${above.join('|')})/`,
      message: `${section} is below that section (see eslint.config.js): turn the dependency round, with an event or a seam.`,
    })
  }
  return {
    files: [`app/${section}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  }
}

function panelRules(rooms, index) {
  const above = PANEL_ROOMS.slice(index + 1).flat()
  const patterns = [
    { regex: String.raw`^\.\.?/`, message: 'Import by @, so that the rule sees it.' },
    ...(above.length > 0
      ? [{ regex: `^@/(${above.join('|')})/`, message: 'That room is above this one.' }]
      : []),
  ]
  return {
    files: rooms.map((room) => `packages/panel/src/${room}/**/*.{ts,vue}`),
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  }
}

/** Rules of Vue that Prettier decides. */
const FORMATTING = [
  'html-indent',
  'html-closing-bracket-newline',
  'html-self-closing',
  'max-attributes-per-line',
  'singleline-html-element-content-newline',
  'multiline-html-element-content-newline',
  'first-attribute-linebreak',
]
const IN_PANEL = ['packages/panel/src/**/*.vue']

/** Spreads that only arrange properties or elements on fewer lines. */
const LITERAL_SPREADS = [
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'Write the properties without a spread.',
  },
  {
    selector: 'ArrayExpression > SpreadElement > ArrayExpression[elements.length>0]',
    message: 'Write the elements without a spread.',
  },
]

export default configApp(
  {
    ignores: [
      'build/',
      '.adonisjs/',
      'database/schema.ts',
      'tmp/',
      'packages/*/dist/',
      'packages/client/src/api.ts',
      'packages/cli/src/api_description.ts',
      'packages/panel/src/forms/schemas.ts',
      'resources/api_reference/',
    ],
  },
  // The framework leaves them out, taking them for those of a browser.
  { files: ['resources/**/*.ts'], rules: RULES_LIST },
  {
    rules: {
      '@unicorn/no-await-expression-member': 'off',
      // Prettier wraps code, but not comments. Tables of tests may be wider.
      '@stylistic/max-len': [
        'error',
        { code: 1_000, comments: 100, ignoreUrls: true, ignorePattern: String.raw`^\s*// {4,}` },
      ],
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': ['error', ...LITERAL_SPREADS],
    },
  },
  {
    files: ['app/**', 'commands/**', 'start/**', 'providers/**', 'database/**'],
    ignores: ['app/core/database/transaction.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...LITERAL_SPREADS,
        {
          selector: 'CallExpression[callee.property.name="transaction"]',
          message: 'Use transaction() of #core/database/transaction: it sees a COMMIT that failed.',
        },
      ],
    },
  },
  { files: ['tests/**', 'benchmarks/**'], rules: { 'max-lines': 'off' } },
  ...vue.configs['flat/recommended'].map((config) => ({
    ...config,
    files: IN_PANEL,
    rules: Object.fromEntries(Object.keys(config.rules ?? {}).map((name) => [name, 'error'])),
  })),
  {
    files: IN_PANEL,
    languageOptions: { parserOptions: { parser: typescript.parser } },
    rules: {
      // Prettier does it.
      ...Object.fromEntries(FORMATTING.map((name) => [`vue/${name}`, 'off'])),
      'vue/multi-word-component-names': 'off',
      // Undefined is a good default.
      'vue/require-default-prop': 'off',
    },
  },
  ...PANEL_ROOMS.map(panelRules),
  ...SECTIONS.map(sectionRules)
)
