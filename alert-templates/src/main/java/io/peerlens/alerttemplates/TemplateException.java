package io.peerlens.alerttemplates;

import org.jspecify.annotations.Nullable;

/** A template cannot be read or rendered. The message says where and why. */
public final class TemplateException extends RuntimeException {

  private static final long serialVersionUID = 1;

  TemplateException(String message) {
    this(message, null);
  }

  TemplateException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
