package io.peerlens.audit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * Remark for the audit entry of the request that this thread answers: what only the inside of an
 * operation knows. Without a request it goes nowhere.
 */
public final class AuditNote {

  private static final String ATTRIBUTE = AuditNote.class.getName();
  private static final int MOST_FIELDS = 50;

  private AuditNote() {}

  /** Names the fields that a change of a definition or setting changes; never their values. */
  public static void changed(List<String> fields) {
    put("changed", fields.stream().limit(MOST_FIELDS).toList());
  }

  private static void put(String key, Object value) {
    RequestAttributes request = RequestContextHolder.getRequestAttributes();
    if (request != null) {
      Map<String, Object> notes = new LinkedHashMap<>(of(request));
      notes.put(key, value);
      request.setAttribute(ATTRIBUTE, notes, RequestAttributes.SCOPE_REQUEST);
    }
  }

  @SuppressWarnings("unchecked") // only put() sets it
  private static Map<String, Object> of(RequestAttributes request) {
    Object notes = request.getAttribute(ATTRIBUTE, RequestAttributes.SCOPE_REQUEST);
    return notes == null ? Map.of() : (Map<String, Object>) notes;
  }

  /** What was remarked so far. */
  static Map<String, Object> current() {
    RequestAttributes request = RequestContextHolder.getRequestAttributes();
    return request == null ? Map.of() : of(request);
  }
}
