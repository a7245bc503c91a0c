/**
 * Value of a kubelet setting for which `KubeletConfiguration` has no property.
 *
 * @see https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/
 */
export class KubeletSetting {
  /** A string, such as `static` for `cpuManagerPolicy`. */
  public static text(value: string): KubeletSetting {
    return new KubeletSetting(value);
  }

  /** A number, such as 10 for `registryPullQPS`. */
  public static number(value: number): KubeletSetting {
    return new KubeletSetting(value);
  }

  /** A boolean, such as false for `serializeImagePulls`. */
  public static flag(value: boolean): KubeletSetting {
    return new KubeletSetting(value);
  }

  /** A list of strings, such as `net.core.somaxconn` for `allowedUnsafeSysctls`. */
  public static texts(...values: string[]): KubeletSetting {
    return new KubeletSetting([...values]);
  }

  /** A map of strings, such as `{ 'memory.available': '500Mi' }` for `evictionMinimumReclaim`. */
  public static textMap(values: { [key: string]: string }): KubeletSetting {
    return new KubeletSetting({ ...values });
  }

  /**
   * Any other value, such as `{"swapBehavior":"LimitedSwap"}` for `memorySwap`.
   *
   * @param text the value in JSON
   * @throws Error if the text is not JSON
   */
  public static json(text: string): KubeletSetting {
    return new KubeletSetting(parseJson(text));
  }

  private constructor(private readonly value: unknown) {}

  /** @internal */
  public _toValue(): unknown {
    return this.value;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(
      `KubeletSetting.json: must be JSON, got ${JSON.stringify(text)}; write for example {"swapBehavior":"LimitedSwap"}`,
      { cause },
    );
  }
}
