package io.peerlens.web;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Configuration of the limits on requests to the API.
 *
 * @param maxBodySize longest body of a request; longer ones are refused with 413
 * @param maxImportSize longest file that can be imported; longer ones are refused with 413
 */
@ConfigurationProperties("peerlens.web")
public record WebProperties(
    @DefaultValue("1MB") DataSize maxBodySize, @DefaultValue("32MB") DataSize maxImportSize) {

  private static final long MOST_IMPORT = DataSize.ofMegabytes(64).toBytes();

  public WebProperties {
    if (maxBodySize.toBytes() < 1024) {
      throw new IllegalArgumentException("peerlens.web.max-body-size is below 1KB: " + maxBodySize);
    }
    if (maxImportSize.toBytes() < 1024 || maxImportSize.toBytes() > MOST_IMPORT) {
      throw new IllegalArgumentException(
          "peerlens.web.max-import-size is not between 1KB and 64MB: " + maxImportSize);
    }
  }
}
