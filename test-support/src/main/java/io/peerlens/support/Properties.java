package io.peerlens.support;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Binds a configuration record as Spring does at start. */
public final class Properties {

  private Properties() {}

  /** The record with no key set. */
  public static <T> T defaults(Class<T> type) {
    return with(type, Map.of());
  }

  /** The record with some keys set; keys as in application.properties. */
  public static <T> T with(Class<T> type, Map<String, String> keys) {
    String prefix = type.getAnnotation(ConfigurationProperties.class).value();
    return new Binder(new MapConfigurationPropertySource(keys))
        .bindOrCreate(prefix, Bindable.of(type));
  }
}
