package io.peerlens.outlier.preview;

import io.peerlens.api.OutlierPreviewsApi;
import io.peerlens.api.model.OutlierPreview;
import io.peerlens.api.model.OutlierPreviewRequest;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class OutlierPreviewController implements OutlierPreviewsApi {

  private final OutlierPreviews previews;

  OutlierPreviewController(OutlierPreviews previews) {
    this.previews = previews;
  }

  @Heavy(HeavyWork.PREVIEW)
  @Override
  public ResponseEntity<OutlierPreview> previewOutlierGroup(OutlierPreviewRequest request) {
    return ResponseEntity.ok(previews.preview(request));
  }
}
