package io.peerlens.notify.preview;

import io.peerlens.api.NotificationPreviewsApi;
import io.peerlens.api.model.DeliveryEvent;
import io.peerlens.api.model.NotificationExampleResult;
import io.peerlens.api.model.NotificationPreview;
import io.peerlens.api.model.NotificationPreviewRequest;
import io.peerlens.api.model.NotificationTemplateTestRun;
import io.peerlens.api.model.SilencePreview;
import io.peerlens.api.model.SilencePreviewRequest;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.notify.definition.LookupStore;
import io.peerlens.notify.definition.NotificationTemplate;
import io.peerlens.notify.definition.NotificationTemplates;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class NotificationPreviewsController implements NotificationPreviewsApi {

  private final TemplatePreviews previews;
  private final NotificationTemplates templates;
  private final LookupStore lookups;
  private final SilencePreviews silences;

  NotificationPreviewsController(
      TemplatePreviews previews,
      NotificationTemplates templates,
      LookupStore lookups,
      SilencePreviews silences) {
    this.templates = templates;
    this.previews = previews;
    this.lookups = lookups;
    this.silences = silences;
  }

  @Heavy(HeavyWork.PREVIEW)
  @Override
  public ResponseEntity<SilencePreview> previewSilence(SilencePreviewRequest request) {
    return ResponseEntity.ok(silences.preview(request));
  }

  @Heavy(HeavyWork.PREVIEW)
  @Override
  public ResponseEntity<NotificationPreview> previewNotificationTemplate(
      NotificationPreviewRequest request) {
    return ResponseEntity.ok(previews.preview(request));
  }

  @Heavy(HeavyWork.PREVIEW)
  @Override
  public ResponseEntity<NotificationTemplateTestRun> testRunNotificationTemplate(String id) {
    NotificationTemplate template = templates.existing(id);
    List<NotificationExampleResult> results =
        template.examples().stream()
            .map(
                example -> {
                  List<String> differences = example.differences(template.template(), lookups);
                  return new NotificationExampleResult(
                      example.name(),
                      DeliveryEvent.fromValue(example.event()),
                      differences.isEmpty(),
                      differences);
                })
            .toList();
    int passed = (int) results.stream().filter(NotificationExampleResult::getPassed).count();
    return ResponseEntity.ok(
        new NotificationTemplateTestRun(passed, results.size() - passed, results));
  }
}
