package io.peerlens.planning;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.InputStreamResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotWritableException;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Bodies of imports of benchmark runs as a stream that is read once. Without it they would be read
 * into memory, and they may have 256 MB.
 */
final class BenchmarkFileConverter implements HttpMessageConverter<Resource> {

  static final String PATH = "/api/v1/benchmark-runs";

  @Override
  public boolean canRead(Class<?> type, @Nullable MediaType mediaType) {
    return type == Resource.class
        && RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes now
        && isImport(now.getRequest());
  }

  private static boolean isImport(HttpServletRequest request) {
    return request.getMethod().equals("POST") && request.getRequestURI().equals(PATH);
  }

  @Override
  public boolean canWrite(Class<?> type, @Nullable MediaType mediaType) {
    return false;
  }

  @Override
  public List<MediaType> getSupportedMediaTypes() {
    return List.of(MediaType.ALL);
  }

  @Override
  public Resource read(Class<? extends Resource> type, HttpInputMessage message)
      throws IOException {
    return new InputStreamResource(message.getBody());
  }

  @Override
  public void write(Resource resource, @Nullable MediaType type, HttpOutputMessage message) {
    throw new HttpMessageNotWritableException("Files are only read");
  }
}
