package io.peerlens.vcenter.vim;

import org.jspecify.annotations.Nullable;

/** Failure of a call to vCenter. */
public abstract sealed class VimException extends Exception {

  private VimException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** vCenter answered with a fault of its own, such as {@code InvalidLogin}. */
  public static final class Fault extends VimException {

    private final String type;
    private final String property;
    private final String object;

    Fault(String type, String message) {
      this(type, message, "", "");
    }

    Fault(String type, String message, String property, String object) {
      super(
          (message.isBlank() ? type : type + ": " + message)
              + (property.isEmpty() ? "" : " (" + property + ")"),
          null);
      this.type = type;
      this.property = property;
      this.object = object;
    }

    /** Type of the fault, such as {@code NotAuthenticated}; empty when vCenter did not say. */
    public String type() {
      return type;
    }

    /** The property that an {@code InvalidProperty} is about; else empty. */
    public String property() {
      return property;
    }

    /** Value of the reference that a {@code ManagedObjectNotFound} is about; else empty. */
    public String object() {
      return object;
    }
  }

  /** No answer, or one that is not vCenter's: it may come back by itself. */
  public static final class Unavailable extends VimException {

    Unavailable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The egress guard of this installation keeps connections from going there. */
  public static final class Refused extends VimException {

    Refused(String message) {
      super(message, null);
    }
  }

  /** The certificate is not the one that was confirmed, or no authority vouches for it. */
  public static final class Untrusted extends VimException {

    Untrusted(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
