package io.peerlens.outlier.preview;

import io.peerlens.inventory.ObjectLookup;
import io.peerlens.outlier.result.OutlierApiConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Preview of outlier groups, and of what they would find when another rule is tried. */
@Configuration(proxyBeanMethods = false)
@Import({
  OutlierApiConfiguration.class,
  OutlierPreviewController.class,
  ObjectLookup.class,
  PreviewQueries.class,
  PreviewMembers.class,
  PreviewShifts.class,
  PreviewWarnings.class,
  OutlierPreviews.class,
  OutlierGroupUses.class
})
public class OutlierPreviewConfiguration {}
