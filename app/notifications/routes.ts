import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { throttle } from '#start/limiter'

router
  .get('/api/applications/:appCode/i18n/:locale', [controllers.notifications.TypeTexts, 'index'])
  .as('notifications.type_texts.index')
  .use([middleware.token(), throttle.token])
