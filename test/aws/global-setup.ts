import { installTools } from './python-tools';
import useTemporaryFolder from '../support/temporary-folder';

export default function setUp(): void {
  useTemporaryFolder();
  installTools();
}
